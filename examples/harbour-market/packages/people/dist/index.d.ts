import { SmrtObject } from '@happyvertical/smrt-core';
export declare class Shift extends SmrtObject {
  breakMinutes: number;
}
export declare class Skill extends SmrtObject {
  title: string;
}
