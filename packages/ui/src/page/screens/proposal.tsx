/** One proposal of the inbox: the diff, whose words it rests on, why it waits, and the decision. */
import type { InboxItem } from '../../api/views.ts'
import { DiffView } from '../parts/diff-view.tsx'
import { Facts, Key, Origin, Pass, When } from '../parts/small-parts.tsx'
import { TextEditor } from '../parts/text-editor.tsx'

export interface ProposalProps {
  readonly item: InboxItem
  readonly selected: boolean
  readonly editing: boolean
  /** A person's version that could not be saved. */
  readonly draft: string | undefined
  readonly write: boolean
  readonly onSelect: () => void
  readonly onApprove: () => void
  readonly onReject: () => void
  readonly onEdit: () => void
  readonly onSave: (content: string) => void
  readonly onCancel: () => void
}

const Buttons = ({ item, onApprove, onReject, onEdit }: Pick<ProposalProps, 'item' | 'onApprove' | 'onReject' | 'onEdit'>) => (
  <div class="buttons">
    <button type="button" class="main" onClick={onApprove}>
      Approve <Key name="a" />
    </button>
    {item.editable === undefined ? null : (
      <button type="button" onClick={onEdit}>
        Edit <Key name="e" />
      </button>
    )}
    <button type="button" onClick={onReject}>
      Reject <Key name="r" />
    </button>
  </div>
)

export const Proposal = ({
  item,
  selected,
  editing,
  draft,
  write,
  onSelect,
  onApprove,
  onReject,
  onEdit,
  onSave,
  onCancel,
}: ProposalProps) => {
  const { id, at, changes, reason, rationale, origin, score, quotes, sessionId, project, model, pass, problem } = item
  const [first, ...more] = changes
  const heading = more.length === 0 ? (first?.title ?? 'A change') : `${changes.length} changes, all or none`
  return (
    <article
      class={`card${selected ? ' selected' : ''}`}
      tabIndex={selected ? 0 : -1}
      aria-labelledby={`title-${id}`}
      aria-current={selected}
      onFocusCapture={onSelect}
    >
      <header>
        <h2 id={`title-${id}`}>{heading}</h2>
        <Origin origin={origin} />
        <span class="quiet">
          <When at={at} />
        </span>
      </header>
      {problem === undefined ? null : <p class="problem">Not possible as things are: {problem}</p>}
      {changes.map(({ title, before, after }, index) => (
        <div key={index}>
          {more.length === 0 ? null : <h3>{title}</h3>}
          <DiffView before={before} after={after} />
        </div>
      ))}
      {quotes.map((quote, index) => (
        <blockquote key={index}>{quote}</blockquote>
      ))}
      <Facts
        facts={
          [
            ['waits because', reason],
            ['proposed because', rationale],
            ['seen by', <Pass key="pass" pass={pass} />],
            ['score', score.toFixed(2)],
            ['session', sessionId],
            ['project', project],
            ['model', model],
          ].filter(([name]) => name !== 'seen by' || pass !== undefined) as never
        }
      />
      {editing ? <TextEditor label="Write this instead" text={draft ?? item.editable ?? ''} onSave={onSave} onCancel={onCancel} /> : null}
      {write && !editing ? <Buttons item={item} onApprove={onApprove} onReject={onReject} onEdit={onEdit} /> : null}
    </article>
  )
}
