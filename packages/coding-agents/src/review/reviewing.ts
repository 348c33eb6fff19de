/** Set for programs that a review starts: hooks of Hermes inside them do nothing, so that a review never leads to another one. */
export const REVIEWING = 'HERMES_REVIEWING'
