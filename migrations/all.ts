import type { Migration } from 'kysely'
import * as catalog from './0001-catalog.ts'
import * as inventory from './0002-inventory.ts'
import * as cart from './0003-cart.ts'
import * as search from './0004-search.ts'
import * as catalogImport from './0005-catalog-import.ts'
import * as contact from './0006-contact.ts'
import * as brands from './0007-brands.ts'
import * as accounts from './0008-accounts.ts'
import * as healthRecords from './0009-health-records.ts'
import * as checkout from './0010-checkout.ts'
import * as ledgerOrder from './0011-ledger-order.ts'
import * as backOffice from './0012-back-office.ts'
import * as ordersDesk from './0013-orders-desk.ts'
import * as prescriptionReview from './0014-prescription-review.ts'
import * as csvImports from './0015-csv-imports.ts'
import * as catalogDesk from './0016-catalog-desk.ts'
import * as inventoryDesk from './0017-inventory-desk.ts'
import * as productPictures from './0018-product-pictures.ts'
import * as deskRules from './0019-desk-rules.ts'
import * as unitsToCount from './0020-units-to-count.ts'
import * as manufacturersByCountry from './0021-manufacturers-by-country.ts'
import * as renamedColumns from './0022-renamed-columns.ts'
import * as sessionFactor from './0023-session-factor.ts'
import * as roles from './0024-roles.ts'
import * as knownDevices from './0025-known-devices.ts'
import * as accountEvents from './0026-account-events.ts'
import * as sealedLedger from './0027-sealed-ledger.ts'
import * as erasure from './0028-erasure.ts'
import * as inspectedFiles from './0029-inspected-files.ts'
import * as keyedAudit from './0030-keyed-audit.ts'
import * as paymentHolds from './0031-payment-holds.ts'
import * as dispensing from './0032-dispensing.ts'
import * as settingsHistory from './0033-settings-history.ts'
import * as labels from './0034-labels.ts'
import * as messageThreads from './0035-message-threads.ts'
import * as refillReminders from './0036-refill-reminders.ts'
import * as recordFiles from './0037-record-files.ts'
import * as careLists from './0038-care-lists.ts'
import * as patients from './0039-patients.ts'
import * as lots from './0040-lots.ts'
import * as alertDecisions from './0041-alert-decisions.ts'
import * as recalls from './0042-recalls.ts'
import * as confirmedAlerts from './0043-confirmed-alerts.ts'
import * as statusUndo from './0044-status-undo.ts'
import * as gridViews from './0045-grid-views.ts'
import * as runs from './0046-runs.ts'
import * as productOffers from './0047-product-offers.ts'
import * as bareNdcs from './0048-bare-ndcs.ts'
import * as pageVersions from './0049-page-versions.ts'
import * as needReviews from './0050-need-reviews.ts'
import * as oldRows from './0051-old-rows.ts'
import * as needReviewVersions from './0052-need-review-versions.ts'
import * as webhooks from './0053-webhooks.ts'
import * as apiKeys from './0054-api-keys.ts'
import * as orderSums from './0055-order-sums.ts'
import * as variantMoves from './0056-variant-moves.ts'
import * as bareNdcIndex from './0057-bare-ndc-index.ts'
import * as documentOffers from './0058-document-offers.ts'
import * as reimportCareLists from './0059-reimport-care-lists.ts'
import * as refundPositions from './0060-refund-positions.ts'
import * as earlierCheckouts from './0061-earlier-checkouts.ts'
import * as clientAssets from './0062-client-assets.ts'
import * as variantsInOrder from './0063-variants-in-order.ts'
import * as lotEventQuantity from './0064-lot-event-quantity.ts'
import * as requestKeys from './0065-request-keys.ts'
import * as trackingNumbers from './0066-tracking-numbers.ts'
import * as recallHoldEvents from './0067-recall-hold-events.ts'
import * as recordedRecalls from './0068-recorded-recalls.ts'
import * as importWarnings from './0069-import-warnings.ts'
import * as auditLogIndexes from './0070-audit-log-indexes.ts'
import * as apiKeysForOrders from './0071-api-keys-for-orders.ts'

/** Every migration, in the order of application. Add new ones at the end (`npm run check`). */
export const migrations: Record<string, Migration> = {
  '0001-catalog': catalog,
  '0002-inventory': inventory,
  '0003-cart': cart,
  '0004-search': search,
  '0005-catalog-import': catalogImport,
  '0006-contact': contact,
  '0007-brands': brands,
  '0008-accounts': accounts,
  '0009-health-records': healthRecords,
  '0010-checkout': checkout,
  '0011-ledger-order': ledgerOrder,
  '0012-back-office': backOffice,
  '0013-orders-desk': ordersDesk,
  '0014-prescription-review': prescriptionReview,
  '0015-csv-imports': csvImports,
  '0016-catalog-desk': catalogDesk,
  '0017-inventory-desk': inventoryDesk,
  '0018-product-pictures': productPictures,
  '0019-desk-rules': deskRules,
  '0020-units-to-count': unitsToCount,
  '0021-manufacturers-by-country': manufacturersByCountry,
  '0022-renamed-columns': renamedColumns,
  '0023-session-factor': sessionFactor,
  '0024-roles': roles,
  '0025-known-devices': knownDevices,
  '0026-account-events': accountEvents,
  '0027-sealed-ledger': sealedLedger,
  '0028-erasure': erasure,
  '0029-inspected-files': inspectedFiles,
  '0030-keyed-audit': keyedAudit,
  '0031-payment-holds': paymentHolds,
  '0032-dispensing': dispensing,
  '0033-settings-history': settingsHistory,
  '0034-labels': labels,
  '0035-message-threads': messageThreads,
  '0036-refill-reminders': refillReminders,
  '0037-record-files': recordFiles,
  '0038-care-lists': careLists,
  '0039-patients': patients,
  '0040-lots': lots,
  '0041-alert-decisions': alertDecisions,
  '0042-recalls': recalls,
  '0043-confirmed-alerts': confirmedAlerts,
  '0044-status-undo': statusUndo,
  '0045-grid-views': gridViews,
  '0046-runs': runs,
  '0047-product-offers': productOffers,
  '0048-bare-ndcs': bareNdcs,
  '0049-page-versions': pageVersions,
  '0050-need-reviews': needReviews,
  '0051-old-rows': oldRows,
  '0052-need-review-versions': needReviewVersions,
  '0053-webhooks': webhooks,
  '0054-api-keys': apiKeys,
  '0055-order-sums': orderSums,
  '0056-variant-moves': variantMoves,
  '0057-bare-ndc-index': bareNdcIndex,
  '0058-document-offers': documentOffers,
  '0059-reimport-care-lists': reimportCareLists,
  '0060-refund-positions': refundPositions,
  '0061-earlier-checkouts': earlierCheckouts,
  '0062-client-assets': clientAssets,
  '0063-variants-in-order': variantsInOrder,
  '0064-lot-event-quantity': lotEventQuantity,
  '0065-request-keys': requestKeys,
  '0066-tracking-numbers': trackingNumbers,
  '0067-recall-hold-events': recallHoldEvents,
  '0068-recorded-recalls': recordedRecalls,
  '0069-import-warnings': importWarnings,
  '0070-audit-log-indexes': auditLogIndexes,
  '0071-api-keys-for-orders': apiKeysForOrders,
}
