import type { OrderLine } from './order-line';

/**
 * The basket of a visitor who has not ordered yet. It lives in the browser and is no model:
 * writing `extends SmrtObject` here would make a table of it.
 */
export class Basket {
  readonly #lines = new Map<string, OrderLine>();

  /** Called after every change. */
  onChange: (count: number) => void = () => {};

  put(line: OrderLine): this {
    this.#lines.set(line.productId, line);
    this.onChange(this.#lines.size);
    return this;
  }

  get total(): number {
    return [...this.#lines.values()].reduce((sum, line) => sum + line.rowTotal(), 0);
  }

  *[Symbol.iterator](): IterableIterator<OrderLine> {
    yield* this.#lines.values();
  }
}
