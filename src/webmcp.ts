// "intab/webmcp": the server's tools for agents outside the page, such as the browser's own.

export { type OfferedTools, offerTools, type OfferToolsOptions } from './webmcp/offer-tools.js'
export { pageTools } from './webmcp/page-tools.js'
