/** The addresses of other people's machines and mail boxes that a text names: nobody arrives at those by himself. */
import { normaliseText } from '../text/normalise-text.ts'
import { spend } from '../text/work-limit.ts'

const url = /[a-z][a-z0-9+.-]{1,20}:\/\/([^\s/"'<>()[\]`?#]+)/g
const mail = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu
const numeric = /(?<![\p{L}\p{N}.])(?:\d{1,3}\.){3}\d{1,3}(?![\p{N}.])/gu
/** Endings of names that are hardly ever those of files or of members in code. */
const host =
  /(?<![\p{L}\p{N}._/-])(?:[a-z0-9-]{1,63}\.){1,8}(?:com|org|net|edu|gov|info|biz|xyz|top|site|online|cloud|dev|app|ai|io|co|ru|cn|de|fr|uk|eu|us|nl|br|in|jp|example|onion)(?![\p{L}\p{N}-]|\.\p{L}|\()/gu
const own = /^(?:localhost|127\.\d|0\.0\.0\.0|\[::1\]|\$|\{|<|%|(?:www\.)?example\.(?:com|org|net)$)/

/** Normalised, each once. */
export const foreignAddresses = (text: string): readonly string[] => {
  const plain = normaliseText(text)
  spend(50 * plain.length)
  const urls = [...plain.matchAll(url)].map(([, authority = '']) => authority.replace(/^[^@]*@/, '').replace(/:\d+$|[.,;:]+$/g, ''))
  const named = [mail, numeric, host].flatMap((pattern) => plain.match(pattern) ?? [])
  return [...new Set([...urls, ...named])].filter((address) => address !== '' && !own.test(address))
}
