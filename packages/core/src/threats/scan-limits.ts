/** Maximum code points of all entries scanned together: the highest limit that a store can be configured with. */
export const ENTRIES_SCAN_MAX_CHARS = 32_768
