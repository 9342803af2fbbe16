import { expect, test } from 'vitest'
import { isHostingName } from './organization-rules.ts'

test.each([
  'Hosting Ukraine LTD',
  'A2 Hosting, Inc.',
  'ZAP-Hosting GmbH',
  'WEBHOSTING.NET, Inc.',
  'HostRoyale Technologies Pvt Ltd',
  'Host Europe GmbH',
  'OOO VPS',
  'Colocation America Corporation',
  'UK Dedicated Servers Limited',
  'UnReal Servers, LLC',
  'Yandex.Cloud LLC',
  'NAVER Cloud Corp.',
  'Tencent Cloud Computing (Beijing) Co., Ltd',
  'PT Cloud Hosting Indonesia',
  'Scala Data Centers',
  'SkyLink Data Center BV',
  'True Internet Data Center Company Limited',
])('%s rents out machines', (name) => {
  expect(isHostingName(name)).toBe(true)
})

test.each([
  // Homes, phones and public Wi-Fi
  'The Cloud Networks Limited',
  'AFRIHOST SP (PTY) LTD',
  'FIBERHOST S.A.',
  'Cloud Telecom Eireli',
  'Cloud Net Cable and Telecom Inc.',
  'Cloud 9 Wireless LLC',
  'Cloud South',
  'White Cloud Communications US, LLC',
  'SIANET Datacenter e Provedores Ltda-ME',
  'Hotwire Communications',
  'Istqrar for Servers Services Ltd',
  'VPS Broadband And Telecommunications Pvt',
  // Offices
  'American International Group Data Center',
  'State Data Center - Hanoi Department of Information',
  'NB-PEI Educational Computer Network',
  'San Diego Supercomputer Center',
  'BBDO-COLO - BBDO NY',
  // The relay's edge, which is decided elsewhere
  'Cloudflare, Inc.',
  'Comcast Cable Communications, LLC',
  'Deutsche Telekom AG',
  '',
])('%s is not called hosting for its name', (name) => {
  expect(isHostingName(name)).toBe(false)
})
