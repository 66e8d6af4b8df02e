import type { Stall } from './models';

/** What a day trader pays for a pitch. Nothing of this is stored. */
export namespace PitchFee {
  /** Prices in cents a metre. */
  export class Tariff {
    constructor(
      readonly weekday: number = 350,
      readonly weekend: number = 520,
    ) {}
  }

  export const current = new Tariff();
}

/** Rule for days on which the harbour festival takes over. */
export const FestivalTariff = class FestivalRule extends PitchFee.Tariff {
  constructor() {
    super(800, 800);
  }
};

/** Adds a minimum to any tariff class. */
export function withMinimum<T extends new (...args: never[]) => PitchFee.Tariff>(Base: T, minimum: number) {
  abstract class MinimumTariff extends (Base as new () => PitchFee.Tariff) {
    fee(metres: number): number {
      return Math.max(minimum, metres * this.weekday);
    }
  }
  return MinimumTariff;
}

/** Fee in cents for one stall on one day. */
export function feeFor(stall: Stall, day: Date, tariff: PitchFee.Tariff = PitchFee.current): number {
  const isWeekend = day.getDay() % 6 === 0;
  return Math.round(stall.frontage * (isWeekend ? tariff.weekend : tariff.weekday));
}
