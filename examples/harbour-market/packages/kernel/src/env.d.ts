/** Types of things that the bundler or the tills bring along. */
declare module '*.svelte' {
  const component: unknown;
  export default component;
}

/** Scanner of the handheld tills; browsers on a desk do not have it. */
declare class BarcodeDetector {
  constructor(options?: { formats: string[] });
  detect(image: Blob): Promise<Array<{ rawValue: string }>>;
}
