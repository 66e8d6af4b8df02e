import * as core from '@happyvertical/smrt-core';
import { SmrtJunction, field, foreignKey, smrt } from '@happyvertical/smrt-core';
import { Employee } from './employee';

/** Something that needs training: filleting, forklift, first aid. */
@smrt({ tableName: 'skills', api: { include: ['list', 'get'] }, mcp: false, cli: false })
export class Skill extends core.SmrtObject {
  @field({ required: true, unique: true })
  title: string = '';

  /** Months after which the certificate has to be renewed; zero means never. */
  renewalMonths: number = 0;
  isSafetyRelevant = false;
}

/** Who holds which certificate, and until when. */
@smrt({ tableName: 'employee_skills', api: false, mcp: false, cli: false })
export class EmployeeSkill extends SmrtJunction {
  @foreignKey(() => Employee)
  employeeId: string = '';

  @foreignKey(() => Skill)
  skillId: string = '';

  certifiedOn: Date = new Date();
  expiresOn: Date | null = null;
}
