/** Where the frozen block goes in a prompt (reference ecosystem 1.2). Pure; the host's objects are never changed. */
import { joinBlock } from '@hermes/core/adapter'
import type { ProviderMessage } from './provider-protocol.ts'

const EPHEMERAL = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const

/**
 * Merges into the last leading system message, because several chat templates refuse a second one. A message of its own, right after the leading ones,
 * where that message carries provider options (the host's cache breakpoint must stay valid) or `cacheControl` is asked for.
 */
export const placeBlock = (
  prompt: readonly ProviderMessage[],
  block: string,
  { cacheControl = false }: { readonly cacheControl?: boolean } = {},
): readonly ProviderMessage[] => {
  if (block === '') return prompt
  const firstOther = prompt.findIndex((message) => message.role !== 'system')
  const leading = prompt.slice(0, firstOther < 0 ? prompt.length : firstOther)
  const rest = prompt.slice(leading.length)
  // The host has put session.systemBlock() there itself, or another wrapper of ours has.
  if (leading.some(({ content }) => typeof content === 'string' && content.includes(block))) return prompt
  const last = leading.at(-1)
  if (last !== undefined && typeof last.content === 'string' && last.providerOptions === undefined && !cacheControl) {
    return [...leading.slice(0, -1), { ...last, content: joinBlock(last.content, block) }, ...rest]
  }
  const own: ProviderMessage = { role: 'system', content: block, ...(cacheControl ? { providerOptions: EPHEMERAL } : {}) }
  return [...leading, own, ...rest]
}
