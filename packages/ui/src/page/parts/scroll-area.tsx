/** Contents that may be longer than their place: also reached, and so scrolled, by keyboard. */
import type { ComponentChildren } from 'preact'

export interface ScrollAreaProps {
  readonly label: string
  readonly class: string
  readonly children: ComponentChildren
}

export const ScrollArea = ({ label, class: style, children }: ScrollAreaProps) => (
  // biome-ignore lint/a11y/useSemanticElements: neither a form's part nor a landmark
  // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse could not scroll it otherwise
  <div class={style} role="group" tabIndex={0} aria-label={label}>
    {children}
  </div>
)

/** A text byte for byte. */
export const TextBlock = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <ScrollArea class="block" label={label}>
    <pre>{text}</pre>
  </ScrollArea>
)
