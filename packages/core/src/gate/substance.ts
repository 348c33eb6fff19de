/** A quote of fewer content words says nothing that could be retold in other words. */
export const SUBSTANCE = 2
