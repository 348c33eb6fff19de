/** Line ends of a file: a patch must not leave two kinds in it. */

/** Every line of `text` that ends, ends with CRLF, and there is at least one. */
const isCrlf = (text: string): boolean => text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text)

/** Whether line feeds of a replacement are to be written as CRLF: the file has only those, and the caller wrote no CR anywhere. */
export const wantsCrlf = (content: string, oldText: string, newText: string): boolean =>
  isCrlf(content) && !oldText.includes('\r') && !newText.includes('\r')

/** `text` with CRLF, and with the CR that the replaced `region` took away from its last line. */
export const toCrlf = (text: string, region: string): string =>
  text.replaceAll(/\r?\n/g, '\r\n') + (region.endsWith('\r') && !text.endsWith('\r') ? '\r' : '')
