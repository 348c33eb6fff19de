/** A field for a person's own version of a text. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Key } from './small-parts.tsx'

export interface TextEditorProps {
  readonly label: string
  /** What it starts from. */
  readonly text: string
  readonly onSave: (text: string) => void
  readonly onCancel: () => void
}

const MAX_ROWS = 20

export const TextEditor = ({ label, text: first, onSave, onCancel }: TextEditorProps) => {
  const [text, setText] = useState(first)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const onKeyDown = (event: KeyboardEvent): void => {
    // Such keys choose among the words of an input method.
    if (event.isComposing) return
    if (event.key === 'Escape') onCancel()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSave(text)
  }
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault()
        onSave(text)
      }}
    >
      <label>
        {label}
        <textarea
          ref={field}
          rows={Math.min(MAX_ROWS, text.split('\n').length + 1)}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      <div class="buttons">
        <button type="submit" class="main">
          Save <Key name="Ctrl ⏎" />
        </button>
        <button type="button" onClick={onCancel}>
          Cancel <Key name="Esc" />
        </button>
      </div>
    </form>
  )
}
