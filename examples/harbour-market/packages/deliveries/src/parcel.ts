import { HallRecord } from '@harbour/kernel';
import { crossPackageRef, field, foreignKey, smrt } from '@happyvertical/smrt-core';
import { DeliveryRun } from './delivery-run';
import { LABEL_WIDTH } from './limits';

/** A bag or a box on its way. */
@smrt({ tableName: 'parcels', api: { include: ['list', 'get'] }, mcp: { include: ['get'] }, cli: false })
export class Parcel extends HallRecord {
  @crossPackageRef('@harbour/orders:Order')
  orderId: string = '';

  @foreignKey(() => DeliveryRun, { nullable: true })
  runId: string | null = null;

  // Deliberate: a scan runs no code, so it cannot know LABEL_WIDTH. It warns with
  // `unreadable-options` and goes on without any option of this field.
  @field({ required: true, maxLength: LABEL_WIDTH })
  recipient: string = '';

  /** Kilograms. */
  weight: number = 1.0;
  pieces: number = 1;
  mustStayCold: boolean = false;
  handedOverAt: Date | null = null;

  get label(): string {
    return this.recipient;
  }
}
