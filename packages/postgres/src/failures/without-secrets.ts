/** Takes addresses with a login, and passwords, out of a client's error text. */

const MAX_CHARS = 300

export const withoutSecrets = (text: string): string =>
  text
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '[address]')
    .replace(/\b(password|pwd|secret|token)(\s*[=:]\s*)(?:'[^']*'|"[^"]*"|\S+)/gi, '$1$2[hidden]')
    .slice(0, MAX_CHARS)
