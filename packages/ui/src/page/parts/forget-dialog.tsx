/** Shows what an erasure would remove, asks, and carries it out. */
import { useEffect, useState } from 'preact/hooks'
import type { ForgetView } from '../../api/views.ts'
import { post } from '../state/api.ts'
import { changed } from '../state/live.ts'
import { tell } from '../state/messages.ts'
import { go } from '../state/route.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { formatCount } from './format.ts'

const describe = ({ erased, projects }: ForgetView): string => {
  const counts = erased.map(({ what, count }) => `${what}: ${formatCount(count)}`)
  return [...counts, ...(projects.length > 0 ? [`also of projects: ${projects.join(', ')}`] : [])].join(', ')
}

const describeRest = ({ remaining }: ForgetView): string =>
  remaining.length === 0 ? '' : ` It remains in: ${remaining.map(({ path, reason }) => `${path} (${reason})`).join('; ')}`

const failed = (cause: unknown): void => tell(cause instanceof Error ? cause.message : String(cause), { failed: true })

const erase = async (text: string): Promise<void> => {
  try {
    const done = await post<ForgetView>('forget', { text })
    tell(`Erased permanently (${describe(done)}).${describeRest(done)}`, { failed: done.remaining.length > 0 })
    // The address of an opened entry holds its text.
    go('why')
  } catch (cause) {
    failed(cause)
  } finally {
    changed()
  }
}

export const ForgetDialog = ({ text, onClose }: { readonly text: string; readonly onClose: () => void }) => {
  const [plan, setPlan] = useState<ForgetView>()
  useEffect(() => {
    post<ForgetView>('forget/plan', { text }).then(
      (planned) => {
        if (planned.erased.length > 0) return setPlan(planned)
        tell(`Nothing to erase.${describeRest(planned)}`)
        onClose()
      },
      (cause: unknown) => {
        failed(cause)
        onClose()
      },
    )
  }, [text])
  if (!plan) return null
  return (
    <ConfirmDialog title="Forget this text everywhere?" action="Erase permanently" onConfirm={() => erase(text)} onClose={onClose}>
      “{text}” would be erased from: {describe(plan)}.{describeRest(plan)} <strong>This cannot be undone</strong>, and what was done on this
      page before can no longer be undone here.
    </ConfirmDialog>
  )
}

/** A field for any text. */
export const ForgetForm = () => {
  const [text, setText] = useState('')
  const [asked, setAsked] = useState(false)
  return (
    <section aria-label="Forget">
      <h2>Forget</h2>
      <form
        class="editor"
        onSubmit={(event) => {
          event.preventDefault()
          setAsked(text.trim() !== '')
        }}
      >
        <label>
          A text, wherever it is stored: memory, archive, journal, sessions, backups
          <input value={text} autocomplete="off" onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <div class="buttons">
          <button type="submit">Show what would be erased</button>
        </div>
      </form>
      {asked ? <ForgetDialog text={text} onClose={() => setAsked(false)} /> : null}
    </section>
  )
}
