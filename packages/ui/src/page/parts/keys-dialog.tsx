/** The keys of the page. */
import { useEffect, useRef } from 'preact/hooks'
import { Key } from './small-parts.tsx'

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['j', 'k'], 'inbox: the next, the previous proposal'],
  [['a', 'e', 'r'], 'inbox: approve, edit, reject'],
  [['z'], 'inbox: undo the last change'],
  [['/'], 'search'],
  [['?'], 'these keys'],
]

export const KeysDialog = ({ screens, onClose }: { readonly screens: number; readonly onClose: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl class="facts">
        {[[[`1 … ${screens}`], 'the screens'] as const, ...KEYS].map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((name) => (
                <Key key={name} name={name} />
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <div class="buttons">
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  )
}
