/** Takes passwords and keys out of addresses in a text that is shown or stored. */

const USER_AND_PASSWORD = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):\S*@/gi

/** A name alone before the host of a web address may be a key. */
const USER_OF_WEB = /(\bhttps?:\/\/)[^\s:/@]+@/gi

const QUERY = /(:\/\/[^\s?#'"<>]{1,1000}\?)([^\s#'"<>]+)/g

/** As `access_token`, `private_token`, `api-key`, `X-Amz-Signature`, `sig`. */
const NAMES_A_SECRET = /token|secret|passw|pwd|credential|signature|auth|api[-_.]?key|access[-_.]?key|^(?:key|pat|sig|jwt)$/i

const hideValue = (pair: string): string => {
  const at = pair.indexOf('=')
  return at > 0 && NAMES_A_SECRET.test(pair.slice(0, at)) ? `${pair.slice(0, at)}=[hidden]` : pair
}

const hideInQuery = (_: string, address: string, query: string): string =>
  // The capturing group keeps the separators.
  address +
  query
    .split(/([&;])/)
    .map(hideValue)
    .join('')

/** `postgres://me:secret@host` becomes `postgres://me:[hidden]@host`, `https://ghp_…@host?token=…` `https://[hidden]@host?token=[hidden]`. */
export const hidePasswords = (text: string): string =>
  text.replace(USER_AND_PASSWORD, '$1:[hidden]@').replace(USER_OF_WEB, '$1[hidden]@').replace(QUERY, hideInQuery)
