/** Turns the value of OLLAMA_HOST (`host`, `host:port` or a URL) into the base URL of Ollama's OpenAI-compatible API. */

/** Replaces `0.0.0.0`, an address to listen on, by `127.0.0.1`. Undefined if `host` is not an address. */
export const ollamaUrl = (host: string): string | undefined => {
  const text = /^https?:\/\//i.test(host) ? host : `http://${host}`
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  if (url.port === '' && !/^https?:\/\//i.test(host)) url.port = '11434'
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path.endsWith('/v1') ? path : `${path}/v1`}`
}
