/** The configuration of a reviewer's call: nothing of it may show in the host's streams or traces (reference ecosystem 2.2). */
import { BaseCallbackHandler } from '@langchain/core/callbacks/base'

/** On every review, for hosts whose own handlers want to know. */
export const REVIEW_TAG = 'hermes:review'

/**
 * LangChain adds its tracer to every call when tracing is switched on in the environment, unless a handler of that name is there already. This one
 * records nothing.
 */
class SilentTracer extends BaseCallbackHandler {
  readonly name = 'langchain_tracer'

  /** Called where a LangSmith run is under way around the call. */
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
 * `callbacks` take the place of those that the host's async context would lend; the `nostream` tags keep handlers quiet that sit on the model itself. The
 * signal is the review's own, never the turn's.
 */
export const quietConfig = (signal: AbortSignal, configurable?: Readonly<Record<string, unknown>>): QuietConfig => ({
  callbacks: [new SilentTracer()],
  tags: ['nostream', 'langsmith:nostream', REVIEW_TAG],
  runName: 'hermes-review',
  signal,
  ...(configurable === undefined ? {} : { configurable: { ...configurable } }),
})
