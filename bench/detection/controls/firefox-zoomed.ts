import type { Configuration } from '../src/configuration.ts'
import { visitInFirefox } from '../src/drive/desktop.ts'
import { goTo, xdotool } from '../src/drive/desktop-input.ts'
export const firefoxZoomed: Configuration = {
  id: 'firefox-zoomed',
  title: 'Firefox, page zoomed',
  kind: 'control',
  engine: 'firefox',
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    visitInFirefox(visit, {
      startPage: visit.startUrl,
      async begin() {
        await visit.started()
        await xdotool('key', 'ctrl+plus')
        await xdotool('key', 'ctrl+plus')
        await goTo(visit.url)
      },
    }),
}
