/** Days after which a record of the journal is removed. A file of its own: the options need it, and no prompt needs what tidies. */
export const DEFAULT_JOURNAL_RETAIN_DAYS = 365
