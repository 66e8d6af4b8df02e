import { SmrtHierarchical, field, smrt } from '@happyvertical/smrt-core';

/** A part of the hall: a floor, an aisle, a pitch. Areas nest as the building does. */
@smrt({ tableName: 'hall_areas', api: { include: ['list', 'get'] }, mcp: { include: ['list'] }, cli: false })
export class HallArea extends SmrtHierarchical {
  @field({ required: true })
  title: string = '';

  kind: 'floor' | 'aisle' | 'pitch' = 'pitch';

  /** Square metres. */
  area: number = 0.0;
  hasWater = false;
  hasPower = true;

  /** Corners on the floor plan, in metres from the harbour gate. */
  outline: number[][] = [];

  /** Sum of the area of all parts below, this one left out. */
  async usableArea(): Promise<number> {
    const parts = await this.descendants<HallArea>();
    return parts.reduce((sum, part) => sum + part.area, 0);
  }
}
