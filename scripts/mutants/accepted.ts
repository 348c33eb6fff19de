/** A mutant that no test can or need kill. It is found by the trimmed source line and the replacement, so it survives edits elsewhere. */
export type AcceptedMutant = { readonly file: string; readonly line: string; readonly becomes: string; readonly why: string }

/** `file` is relative to packages/core/src. */
export const ACCEPTED: readonly AcceptedMutant[] = []
