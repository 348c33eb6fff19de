/** What was done just now, with the way back, and the job that is running. */
import { job } from '../state/live.ts'
import { dismiss, messages, start, undo } from '../state/messages.ts'

export const MessagesList = () => (
  <div class="messages" role="status" aria-live="polite">
    {messages.value.map(({ number, text, failed, undo: id }) => (
      <div key={number} class={`message${failed ? ' failed' : ''}`}>
        <p>{text}</p>
        {id === undefined ? null : (
          <button type="button" onClick={() => void undo(id)}>
            Undo
          </button>
        )}
        <button type="button" class="plain" aria-label="Dismiss" onClick={() => dismiss(number)}>
          ×
        </button>
      </div>
    ))}
  </div>
)

export const JobBar = () => {
  const current = job.value
  if (!current) return null
  const { id, title, state, done, total, message, cancellable } = current
  const running = state === 'running'
  return (
    <section class={`job job-${state}`} aria-label="Job">
      <p>
        {title}: {running ? (total === 0 ? 'running …' : `${done} of ${total}`) : `${state}. ${message}`}
      </p>
      {running ? total === 0 ? <progress aria-label={title} /> : <progress aria-label={title} value={done} max={total} /> : null}
      {running && cancellable ? (
        <button type="button" onClick={() => start(`jobs/${id}/cancel`)}>
          Cancel
        </button>
      ) : null}
    </section>
  )
}
