/** Asks before something that takes a way back. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export interface ConfirmDialogProps {
  readonly title: string
  readonly action: string
  readonly children: ComponentChildren
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export const ConfirmDialog = ({ title, action, children, onConfirm, onClose }: ConfirmDialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="dialog-title">
      <h2 id="dialog-title">{title}</h2>
      <p>{children}</p>
      <div class="buttons">
        <button
          type="button"
          class="main"
          onClick={() => {
            onConfirm()
            dialog.current?.close()
          }}
        >
          {action}
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </div>
    </dialog>
  )
}
