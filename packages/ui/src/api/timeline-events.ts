/** What a line of the timeline may tell of. The page lists them, too. */
import type { TimelineEvent } from '@hermes/core/journal'

export const TIMELINE_EVENTS = [
  'learned',
  'changed',
  'removed',
  'made-room',
  'restored',
  'archived',
  'waits',
  'forgotten',
] as const satisfies readonly TimelineEvent[]
