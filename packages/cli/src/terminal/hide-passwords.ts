/**
 * Takes the password out of each address in a text: `postgres://me:secret@host` becomes `postgres://me:[hidden]@host`. A name alone
 * before the host of a web address may be a key: `https://ghp_…@host` becomes `https://[hidden]@host`.
 */
export const hidePasswords = (text: string): string =>
  text.replace(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):\S*@/gi, '$1:[hidden]@').replace(/(\bhttps?:\/\/)[^\s:/@]+@/gi, '$1[hidden]@')
