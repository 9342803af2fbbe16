import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PageOptions } from '../src/attempt.ts'
import type { Case } from '../src/case.ts'

const visit = (id: string, title: string, options: PageOptions): Case => ({
  kind: 'honest',
  family: 'hardened',
  id,
  title,
  run: (attempt) => attempt.visit(options),
})

/** A small blocker: removes what looks like an advertisement. */
const EXTENSION = {
  'manifest.json': JSON.stringify({
    manifest_version: 3,
    name: 'A blocker',
    version: '1.0',
    content_scripts: [{ matches: ['<all_urls>'], js: ['content.js'], run_at: 'document_start' }],
  }),
  'content.js': `new MutationObserver(() => {
  for (const found of document.querySelectorAll('[class*="advert"]')) found.remove()
}).observe(document, { childList: true, subtree: true })`,
}

export const HARDENED: readonly Case[] = [
  visit('firefox-strict', 'Firefox with strict protection against tracking', {
    engine: 'firefox',
    prefs: {
      'browser.contentblocking.category': 'strict',
      'network.cookie.cookieBehavior': 5,
      'privacy.fingerprintingProtection': true,
      'privacy.trackingprotection.enabled': true,
      'privacy.trackingprotection.socialtracking.enabled': true,
      'privacy.query_stripping.enabled': true,
      'network.http.referer.disallowCrossSiteRelaxingDefault': true,
    },
  }),
  visit(
    'firefox-resisting-letterbox',
    'Firefox that resists fingerprinting, with letterboxing, and keeps nothing',
    {
      engine: 'firefox',
      prefs: {
        'privacy.resistFingerprinting': true,
        'privacy.resistFingerprinting.letterboxing': true,
        'browser.privatebrowsing.autostart': true,
      },
    },
  ),
  visit('firefox-no-webrtc', 'Firefox without WebRTC, WebGL and WebAssembly', {
    engine: 'firefox',
    prefs: {
      'media.peerconnection.enabled': false,
      'webgl.disabled': true,
      'javascript.options.wasm': false,
    },
  }),
  visit('firefox-no-referrer', 'Firefox that sends no referrer, and asks not to be tracked', {
    engine: 'firefox',
    prefs: {
      'network.http.sendRefererHeader': 0,
      'privacy.donottrackheader.enabled': true,
      'privacy.globalprivacycontrol.enabled': true,
    },
  }),
  visit('firefox-no-workers', 'Firefox without service workers, just-in-time compiler and WebSocket', {
    engine: 'firefox',
    prefs: {
      'dom.serviceWorkers.enabled': false,
      'javascript.options.baselinejit': false,
      'javascript.options.ion': false,
      'network.http.http2.websockets': false,
    },
  }),
  visit('chromium-no-gpu', 'Chromium without a GPU, even imitated', {
    engine: 'chromium',
    args: ['--disable-gpu', '--disable-software-rasterizer', '--disable-3d-apis'],
  }),
  visit('chromium-no-webrtc', 'Chromium whose WebRTC may use nothing but a proxy', {
    engine: 'chromium',
    args: ['--force-webrtc-ip-handling-policy=disable_non_proxied_udp'],
  }),
  visit('chromium-jitless', 'Chromium without just-in-time compiler and WebAssembly', {
    engine: 'chromium',
    args: ['--js-flags=--jitless'],
  }),
  {
    kind: 'honest',
    family: 'hardened',
    id: 'chromium-extension',
    title: 'Chromium with an extension that changes pages',
    async run(attempt) {
      const folder = join(attempt.folder, 'extension')
      await mkdir(folder)
      for (const [name, text] of Object.entries(EXTENSION)) await writeFile(join(folder, name), text)
      return attempt.visit({
        engine: 'chromium',
        args: [`--load-extension=${folder}`, '--disable-features=DisableLoadExtensionCommandLineSwitch'],
      })
    },
  },
]
