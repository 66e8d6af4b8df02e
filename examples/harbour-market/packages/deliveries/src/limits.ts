/** Characters that fit on one line of the label printer. */
export const LABEL_WIDTH = 32;
