/** Opens the search over past sessions of one home, for one command. */

import { providerFolder } from '@hermes/core/provider'
import type { Recall, RecallProvider } from '@hermes/recall'
import { type Answer, failed, isRefusal, type Refusal } from './answer.ts'
import type { Context } from './context.ts'
import { loadForCommand } from './provider/load-for-command.ts'

export const hasRecall = (provider: object): provider is RecallProvider => typeof Reflect.get(provider, 'openRecall') === 'function'

/** Without a provider in config.yaml: `@hermes/recall` as it is there by default, which an app may use without that file. */
const findProvider = async (context: Context): Promise<RecallProvider | Refusal> => {
  const { config } = context
  const settings = config.ok ? config.value.config.memory : {}
  const isNamed = settings.provider !== undefined && settings.provider.trim() !== ''
  const { provider, warning = '' } = await loadForCommand(context, isNamed ? settings : { provider: 'recall' })
  // Without a name in config.yaml, the file is not what to look at.
  if (!provider) return failed({ code: 'not_found', message: isNamed ? warning : warning.replace(' of config.yaml', '') })
  if (hasRecall(provider)) return provider
  const message = `The memory provider '${provider.name}' of config.yaml is not @hermes/recall: 'hermes search --in sessions', 'hermes stats --index' and 'hermes reindex' work with that one alone.`
  return failed({ code: 'invalid', message })
}

/** Rejects with the Error of the index. */
export const openRecall = async (provider: RecallProvider, { owner, clock, warn }: Context): Promise<Recall> => {
  const report = ({ message }: Error) => warn(message)
  return provider.openRecall({ ...(owner ? { owner } : {}), folder: await providerFolder(owner), clock, report })
}

/** Failures of the index are answers. */
export const withRecall = async (context: Context, use: (recall: Recall) => Promise<Answer>): Promise<Answer> => {
  const provider = await findProvider(context)
  if (isRefusal(provider)) return provider
  let recall: Recall | undefined
  try {
    recall = await openRecall(provider, context)
    return await use(recall)
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    return failed({ code: 'io', message: cause.message })
  } finally {
    await recall?.index.close()
  }
}

/** Said where a search finds nothing because nothing was ever stored. */
export const NOTHING_STORED =
  "Nothing is stored yet. Turns are stored while an agent runs with this provider: 'memory.provider: recall' in config.yaml, or recallProvider in your app. An index in another folder is named by 'memory.provider_options: { folder: … }'."
