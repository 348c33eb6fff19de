/** The configuration of a review call, which must not appear in the host's streams or traces. */
import { BaseCallbackHandler } from '@langchain/core/callbacks/base'

/** Tag on every review, for handlers of the host. */
export const REVIEW_TAG = 'hermes:review'

/**
 * LangChain adds its tracer to every call if tracing is enabled in the environment, unless there is a handler of that name. This one
 * records nothing.
 */
class SilentTracer extends BaseCallbackHandler {
  readonly name = 'langchain_tracer'

  /** Called if a LangSmith run surrounds the call. */
  updateFromRunTree(): void {}
}

export interface QuietConfig {
  readonly callbacks: BaseCallbackHandler[]
  readonly tags: string[]
  readonly runName: string
  readonly signal: AbortSignal
  readonly configurable?: Record<string, unknown>
}

/**
 * `callbacks` replace those from the host's async context; the `nostream` tags silence handlers that are attached to the model itself. The
 * signal is the review's own, never the turn's.
 */
export const quietConfig = (signal: AbortSignal, configurable?: Readonly<Record<string, unknown>>): QuietConfig => ({
  callbacks: [new SilentTracer()],
  tags: ['nostream', 'langsmith:nostream', REVIEW_TAG],
  runName: 'hermes-review',
  signal,
  ...(configurable === undefined ? {} : { configurable: { ...configurable } }),
})
