import type { Parcel as ParcelModel } from './parcel';

// Deliberate: an undecorated class with the name of a model in the same package. The model keeps
// the name in the manifest, and the scan says so with a `duplicate-class` warning.
/** A parcel as the label printer sees it: three lines of text. */
class Parcel {
  constructor(readonly lines: [string, string, string]) {}

  toBytes(): Uint8Array {
    return new TextEncoder().encode(this.lines.join('\r\n'));
  }
}

/** Bytes for the label of one parcel. */
export function printLabel(parcel: ParcelModel): Uint8Array {
  return new Parcel([parcel.recipient, `${parcel.weight} kg`, parcel.mustStayCold ? '❄ KÜHL' : '']).toBytes();
}
