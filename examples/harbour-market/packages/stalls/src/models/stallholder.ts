import { Party } from '@harbour/kernel';
import { field, meta, oneToMany, smrt } from '@happyvertical/smrt-core';
import type { Meta } from '@happyvertical/smrt-core';
import { Lease } from './lease';

/** A trader who rents one or more stalls. */
@smrt({ tableName: 'stallholders', api: { include: ['list', 'get', 'update'] }, mcp: { include: ['get'] } })
export class Stallholder extends Party {
  @field({ required: true, index: true, description: 'Number in the trade register' })
  registerNumber: string = '';

  trades: string[] = ['fish'];

  /** Free-form answers of the yearly survey. */
  @meta()
  surveyAnswers: Record<string, unknown> = {};

  motto: Meta<string> = 'Frisch vom Kutter – fraîche du jour 🐟';

  @field({ sensitive: true, readonly: true, readPermission: 'accounting.bank' })
  iban?: string;

  @oneToMany(() => Lease)
  leases: Lease[] = [];
}
