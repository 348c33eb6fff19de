/** Places the memory block in a prompt. Pure; does not change the host's objects. */
import { joinBlock } from '@hermes/core/adapter'
import type { ProviderMessage } from './provider-protocol.ts'

const EPHEMERAL = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const

/**
 * Appends the block to the last leading system message, because several chat templates refuse a second one. Adds a system message after the
 * leading ones if that message carries provider options (the host's cache breakpoint must stay valid) or if `cacheControl` is set.
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
  // The block is already there: the host added session.systemBlock(), or the model is wrapped twice.
  if (leading.some(({ content }) => typeof content === 'string' && content.includes(block))) return prompt
  const last = leading.at(-1)
  if (last !== undefined && typeof last.content === 'string' && last.providerOptions === undefined && !cacheControl) {
    return [...leading.slice(0, -1), { ...last, content: joinBlock(last.content, block) }, ...rest]
  }
  const own: ProviderMessage = { role: 'system', content: block, ...(cacheControl ? { providerOptions: EPHEMERAL } : {}) }
  return [...leading, own, ...rest]
}
