/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export declare const seededRandom: (seed: number) => (() => number);
