/** Values in the place of a credential that are none: variables, templates, names, type descriptions. Pure. */

const WHOLE: readonly RegExp[] = [
  /^\$[a-z_]\w*(?:[.:]\w+)*$/i, // $TOKEN, $env:TOKEN
  /^\$?\$?[{(<[]/, // ${TOKEN}, $(command), {{ token }}, <token>, [redacted]
  /^%\w+%$/,
  /^(.)\1{2,}[.,;]?$/, // xxxx, ****, ....
  /^[x*•.…_#?-]{3,}$/i,
  /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+[.,;]?$/, // the name of a variable
  /^@[a-z]/i,
  /^["'`]?(?:null|none|nil|undefined|true|false|empty|required|optional|hidden|string|number|boolean|redacted|removed|example|changeme)\b/i,
  /^(?:your|my|the|some|any|new|old)[-_ ]/i,
  /^(?:process\.env|import\.meta|env|os|secrets?|vars?|vault|config|settings|self|this|ctx|req|request|options|props)[.:[/]/i,
  /^[a-z][\w.]*\(/i, // a call
  /^[a-z][a-z0-9+.-]{1,20}:\/\/(?!\S*@)/i, // an address
  /^(?:~|\.{1,2})\/|^\/(?:run|etc|var|home|users|tmp|opt|usr|mnt|secrets|v\d|api)\//i, // a path
  /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}$/, // a mail address
  /^v?\d{1,5}(?:\.\d{1,5}){1,4}$/, // a version
  /^\d{4}-\d\d-\d\d(?:t[\d:.z+-]*)?$/i,
  /^\d{1,4}(?:ms|s|sec|min|m|h|hours?|d|days?|w|weeks?|px|kb|mb|gb|%|x)$/i,
  /^(?:u?int\d+|float\d+|utf-?\d+|sha-?\d+|md5|base(?:16|32|58|64)(?:url)?|aes-?\d+(?:-[a-z]{3})?|rsa-?\d+|[ehpr]s(?:256|384|512))$/i,
  /-(?:encoded|based|signed|hashed|encrypted|protected|only|style|compatible|managed|derived)$/i,
  /^(?:bcrypt|argon2(?:id?|d)?|pbkdf2|ed25519|x25519|secp256k1|oauth-?\d(?:\.\d)?|uuid-?(?:v\d)?|varchar\(\d+\)|http\/?\d|ipv\d|k8s|s3|ec2|r2)$/i,
]

/** Parts of a sample key: `sk-xxxx`, `ghp_your_token_here`. */
const SPELLED_OUT = /your[-_ ]|insert|replace|placeholder|redacted|dummy|changeme|x{5,}|\*{3,}|\.{3}|…/i

/** A placeholder for a value. */
export const isPlaceholder = (value: string): boolean => WHOLE.some((pattern) => pattern.test(value))

/** A sample key in an issuer's form. */
export const isSampleKey = (key: string): boolean => SPELLED_OUT.test(key.replace(/^[a-z]{2,6}[-_]/i, ''))
