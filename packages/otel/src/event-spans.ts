/**
 * Converts events to spans: one for each review and curator run. A change of memory is an event on its review's span, or a span of its own.
 */
import type { Attributes, Span, Tracer } from '@opentelemetry/api'
import { CURATE_SKILLS, ERROR_TYPE, OPERATION_NAME, PROVIDER_NAME, UPSERT_MEMORY } from './conventions.ts'
import {
  costAttributes,
  costOf,
  curatorAttributes,
  curatorReportOf,
  errorTypeOf,
  identityAttributes,
  memoryChangeAttributes,
  memoryChangeOf,
  outcomeAttributes,
  reviewStartAttributes,
} from './event-attributes.ts'
import type { EndedOperation } from './instruments.ts'
import { type OpenReview, openReviews } from './open-reviews.ts'
import { type Fields, fieldsOf, textOf } from './read-fields.ts'

export interface EventSpansDeps {
  readonly tracer: Tracer
  readonly provider: string
  readonly recordOwner: boolean
  /** Called after each review and curator run. */
  readonly onEnded: (operation: EndedOperation) => void
}

export interface EventSpans {
  /** `at`: when the event happened, in epoch milliseconds. */
  readonly record: (event: Fields, at: number) => void
}

/** `SpanStatusCode.ERROR`, copied so that its module need not be loaded. */
const STATUS_ERROR = 2

/** OpenTelemetry takes a small number for the time since the process started, so a date is passed. */
const timeOf = (at: number): Date => new Date(at)

const markFailed = (span: Span, errorType: string): void => {
  span.setAttribute(ERROR_TYPE, errorType)
  span.setStatus({ code: STATUS_ERROR })
}

/** The session and the owner identify a review. */
const keyOf = (event: Fields): string => {
  const owner = fieldsOf(event['owner'])
  return JSON.stringify([owner['tenant'], owner['user'], event['sessionId']])
}

export const eventSpans = ({ tracer, provider, recordOwner, onEnded }: EventSpansDeps): EventSpans => {
  let now = 0
  const endSpan = ({ span, startedAt }: OpenReview, at: number): void => span.end(timeOf(Math.max(startedAt, at)))

  const reviews = openReviews((review) => {
    review.span.setAttribute('hermes.review.result', 'abandoned')
    markFailed(review.span, 'abandoned')
    endSpan(review, now)
  })

  const startSpan = (name: string, event: Fields, at: number, attributes: Attributes): Span =>
    tracer.startSpan(name, {
      startTime: timeOf(at),
      attributes: { [OPERATION_NAME]: name, ...identityAttributes(event, recordOwner), ...attributes },
    })

  const startReview = (event: Fields, at: number): OpenReview => {
    const attributes = { [PROVIDER_NAME]: provider, ...reviewStartAttributes(event) }
    return { span: startSpan(UPSERT_MEMORY, event, at, attributes), startedAt: at }
  }

  const endReview = (event: Fields, at: number, result: string): void => {
    const cost = costOf(event)
    // If the review started before this listener was created, its span is at least as long as the model call.
    const review = reviews.take(keyOf(event)) ?? startReview(event, at - (cost?.durationMs ?? 0))
    const errorType = result === 'failed' ? (errorTypeOf(event) ?? '_OTHER') : undefined
    review.span.setAttributes({
      'hermes.review.result': result,
      ...outcomeAttributes(event),
      ...costAttributes(cost),
    })
    if (errorType !== undefined) markFailed(review.span, errorType)
    endSpan(review, at)
    onEnded({ name: UPSERT_MEMORY, durationMs: Math.max(0, at - review.startedAt), cost, errorType })
  }

  const recordCuratorRun = (event: Fields, at: number, failed: boolean): void => {
    const cost = costOf(event)
    const startedAt = Math.min(at, curatorReportOf(event).startedAt ?? at - (cost?.durationMs ?? 0))
    const attributes = { [PROVIDER_NAME]: provider, ...curatorAttributes(event), ...costAttributes(cost) }
    const span = startSpan(CURATE_SKILLS, event, startedAt, attributes)
    const errorType = failed ? (errorTypeOf(event) ?? '_OTHER') : undefined
    if (errorType !== undefined) markFailed(span, errorType)
    span.end(timeOf(at))
    onEnded({ name: CURATE_SKILLS, durationMs: at - startedAt, cost, errorType })
  }

  const recordMemoryChange = (event: Fields, at: number): void => {
    const change = memoryChangeOf(event)
    const attributes = memoryChangeAttributes(change)
    const review = change.actor === 'review' ? reviews.find(keyOf(event)) : undefined
    if (review) review.span.addEvent(change.operation, attributes, timeOf(at))
    // The event has only one time, that of the write.
    else startSpan(change.operation, event, at, attributes).end(timeOf(at))
  }

  /** Records a failure on the span of the same session's open review. */
  const recordFailure = (event: Fields, at: number): void => {
    const errorType = errorTypeOf(event)
    const review = errorType === undefined ? undefined : reviews.find(keyOf(event))
    if (review === undefined || errorType === undefined) return
    review.span.addEvent(`hermes.${textOf(event['type'])}`, { [ERROR_TYPE]: errorType }, timeOf(at))
    markFailed(review.span, errorType)
  }

  return {
    record: (event, at) => {
      now = at
      reviews.tidy(at)
      switch (event['type']) {
        case 'review-started':
          return reviews.add(keyOf(event), startReview(event, at))
        case 'review-finished':
          return endReview(event, at, 'finished')
        case 'review-failed':
          return endReview(event, at, 'failed')
        case 'review-stopped':
          return endReview(event, at, 'stopped')
        case 'curator-finished':
          return recordCuratorRun(event, at, false)
        case 'curator-failed':
          return recordCuratorRun(event, at, true)
        case 'memory-changed':
          return recordMemoryChange(event, at)
        default:
          return recordFailure(event, at)
      }
    },
  }
}
