/** A button above each page that copies its Markdown, which is beside the page on the built site. */
import { useData, withBase } from 'vitepress'
import { computed, defineComponent, h, ref } from 'vue'

const LABELS = { ready: 'Copy as Markdown', copied: 'Copied', failed: 'Could not copy' } as const

export const CopyMarkdown = defineComponent(() => {
  const { page } = useData()
  /** The page that was copied last, and how it went. */
  const last = ref<{ readonly path: string; readonly outcome: 'copied' | 'failed' }>()
  const label = computed(() => LABELS[last.value?.path === page.value.relativePath ? last.value.outcome : 'ready'])
  const copy = async (): Promise<void> => {
    const path = page.value.relativePath
    try {
      const response = await fetch(withBase(`/${path}`))
      if (!response.ok) throw new Error(`The site answered ${response.status}.`)
      await navigator.clipboard.writeText(await response.text())
      last.value = { path, outcome: 'copied' }
    } catch {
      last.value = { path, outcome: 'failed' }
    }
  }
  // A site that is not built has no such files.
  return () =>
    import.meta.env.DEV ? null : h('button', { class: 'copy-markdown', type: 'button', 'aria-live': 'polite', onClick: copy }, label.value)
})
