import { SmrtObject, field } from '@happyvertical/smrt-core';

/** Base of every record that the market keeps: who wrote it and what they noted. */
export abstract class HarbourRecord extends SmrtObject {
  @field({ readonly: true, description: 'Login of the person who created the record' })
  createdBy: string = 'system';

  @field({ nullable: true, maxLength: 2000 })
  remarks: string | null = null;

  /** Sort key for lists; subclasses say what reads best. */
  abstract get label(): string;

  /** Appends one line to the remarks without losing what stands there. */
  addRemark(line: string): void {
    this.remarks = this.remarks ? `${this.remarks}\n${line}` : line;
  }
}
