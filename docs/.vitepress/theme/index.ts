/** The generator's own theme in the system's fonts: the site loads nothing from elsewhere. On a wide screen the picture is beside the title. */
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import loop from '../../images/loop.svg'
import { CopyMarkdown } from './copy-markdown.ts'
import './style.css'

const picture = () => h('img', { class: 'loop', src: loop, alt: '', width: 520, height: 446 })

// biome-ignore lint/style/noDefaultExport: the generator asks for one.
export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-image': picture, 'doc-before': () => h(CopyMarkdown) }),
}
