/** Ollama's own way to write its address (`host`, `host:port`, a URL) as the base URL of its OpenAI-compatible interface. */

/** `0.0.0.0`, the address Ollama is told to listen on, is reached at `127.0.0.1`. Undefined: not an address. */
export const ollamaUrl = (host: string): string | undefined => {
  const text = /^https?:\/\//i.test(host) ? host : `http://${host}`
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  if (url.port === '' && !/^https?:\/\//i.test(host)) url.port = '11434'
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path.endsWith('/v1') ? path : `${path}/v1`}`
}
