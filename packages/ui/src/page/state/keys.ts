/** Single keys, as long as nobody is writing and no dialog is open. */
import { useLayoutEffect, useRef } from 'preact/hooks'

export type Keys = Readonly<Record<string, () => void>>

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

export const useKeys = (keys: Keys): void => {
  // The newest keys, also for a key that comes before the effects of a drawing have run.
  const newest = useRef(keys)
  newest.current = keys
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isWriting(event.target)) return
      if (document.querySelector('dialog[open]')) return
      const act = Object.hasOwn(newest.current, event.key) ? newest.current[event.key] : undefined
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
