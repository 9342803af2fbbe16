/** JSON of the column `verdict`, as long as that of a real visit with one signal. */
export const TYPICAL_VERDICT = JSON.stringify({
  entries: [
    {
      name: 'datacenter_ip',
      description: 'Is datacenter',
      weight: 10,
      value: 10,
      evidence: { asn: 24_940, organization: 'Hetzner Online GmbH' },
    },
  ],
  clear: ['javascript_disabled', 'browser_automation', 'os_not_detected', 'check_incomplete'],
  unknown: ['timezone_mismatch'],
  components: [
    'platform',
    'hardware',
    'screen',
    'timezone',
    'webgl',
    'raster',
    'waveform',
    'typefaces',
    'rounding',
  ],
})
