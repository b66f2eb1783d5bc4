import type { ApiKeysTable } from './api-keys.ts'
import type { AlertCountsTable, AlertDecisionsTable } from './alerts.ts'
import type {
  AuditChainTable,
  AuditChecksTable,
  AuditDetailsTable,
  AuditLogTable,
  AuditPendingTable,
} from './audit.ts'
import type { CatalogChangesTable, GridSettingsTable, GridViewsTable } from './back-office.ts'
import type { AccountCartLinesTable, CartLinesTable, CartsTable } from './carts.ts'
import type {
  CatalogImportTable,
  CatalogRowsTable,
  CatalogSeenTable,
  CatalogTouchedTable,
} from './catalog-import.ts'
import type { CheckoutsTable, PaymentEventsTable, RefundLinesTable, RefundsTable } from './checkouts.ts'
import type { ClientAssetsTable } from './client-assets.ts'
import type { ContactMessagesTable } from './contact-messages.ts'
import type { CsvImportKeysTable, CsvImportRowsTable, CsvImportsTable } from './csv-imports.ts'
import type { DemoPaymentsTable, DemoRefundsTable } from './demo-payments.ts'
import type {
  CaseDraftsTable,
  FillsTable,
  LineReviewsTable,
  PharmacistLicensesTable,
  PrescriptionItemsTable,
  PrescriptionNumbersTable,
} from './dispensing.ts'
import type { DispensingRecordsTable, RecordFilesTable, RecordKeysTable } from './dispensing-records.ts'
import type {
  CareAllergyGroupsTable,
  CareAllergyLabelsTable,
  CareBoxedWarningsTable,
  CareBrandsTable,
  CareClassesTable,
  CareClassMembersTable,
  CareControlledSubstancesTable,
  CareEquivalentsTable,
  CareImportRulesTable,
  CareIngredientNamesTable,
  CareIngredientsTable,
  CareInteractionsTable,
  CareLabelSafetyTable,
  CareListsTable,
  CarePostalRegionsTable,
  CareRecallLotsTable,
  CareRecallPackagesTable,
  CareRecallsTable,
  CareShortagesTable,
} from './care-lists.ts'
import type {
  ProductIngredientsTable,
  ShopIngredientNamesTable,
  UnknownIngredientNamesTable,
} from './product-ingredients.ts'
import type { FilesTable, UploadTicketsTable } from './files.ts'
import type {
  InventoryTransactionsTable,
  LedgerBatchesTable,
  LedgerInboxTable,
  LedgerRowsTable,
} from './inventory-transactions.ts'
import type { KnownDevicesTable } from './known-devices.ts'
import type { LabelChoicesTable } from './label-choices.ts'
import type { LotEventsTable, StockLotsTable } from './stock-lots.ts'
import type { ManufacturersTable } from './manufacturers.ts'
import type {
  OrderDaySumsTable,
  OrderEventsTable,
  OrderNotesTable,
  OrdersTable,
  OrdersToIndexTable,
  OrderSumChangesTable,
} from './orders.ts'
import type { MessagesTable, MessageThreadsTable } from './messages.ts'
import type { MedicineNamesTable, MedicineNameWordsTable, PatientsTable } from './patients.ts'
import type { OutboxTable } from './outbox.ts'
import type { WebhookDeliveriesTable, WebhookEndpointsTable } from './webhooks.ts'
import type { PageVersionsTable } from './page-versions.ts'
import type { PaymentHoldsTable } from './payment-holds.ts'
import type { PharmaciesTable } from './pharmacies.ts'
import type { PrescriptionQuestionsTable, PrescriptionsTable } from './prescriptions.ts'
import type { ProductBrandsTable } from './product-brands.ts'
import type { PictureFetchesTable } from './picture-fetches.ts'
import type { ProductPicturesTable } from './product-pictures.ts'
import type { ProductVariantsTable, VariantMovesTable } from './product-variants.ts'
import type { ProductsTable, UnitsToCountTable } from './products.ts'
import type { RateLimitsTable } from './rate-limits.ts'
import type {
  CareUploadsTable,
  RecallEventsTable,
  RecallHoldEventsTable,
  RecallHoldsTable,
  RecallNoticesTable,
  RecallTasksTable,
} from './recalls.ts'
import type { RequestKeysTable } from './request-keys.ts'
import type { RunsTable } from './runs.ts'
import type { RecordAccessesTable } from './record-accesses.ts'
import type { ScreeningRowReportsTable } from './screening.ts'
import type {
  NeedReviewsTable,
  ProductDocumentsTable,
  ProductNamesTable,
  SearchWordsTable,
} from './search.ts'
import type { SessionsTable } from './sessions.ts'
import type { RefillRemindersTable, SentRemindersTable } from './refill-reminders.ts'
import type { SettingsHistoryTable, SettingsTable } from './settings.ts'
import type { ShippingAddressesTable } from './shipping-addresses.ts'
import type { ErasuresTable, ShopKeysTable, UserKeysTable } from './keys.ts'
import type {
  FormerPersonTokensTable,
  OneTimeTokensTable,
  PersonTokensTable,
  RecoveryCodesTable,
  UsersTable,
} from './users.ts'
import type { VariantIdentifiersTable } from './variant-identifiers.ts'

/** All tables in camelCase, as queries name them. The engines use snake_case. */
export type Schema = {
  accountCartLines: AccountCartLinesTable
  alertCounts: AlertCountsTable
  alertDecisions: AlertDecisionsTable
  auditChain: AuditChainTable
  auditChecks: AuditChecksTable
  auditDetails: AuditDetailsTable
  auditLog: AuditLogTable
  auditPending: AuditPendingTable
  cartLines: CartLinesTable
  careAllergyGroups: CareAllergyGroupsTable
  careAllergyLabels: CareAllergyLabelsTable
  careBoxedWarnings: CareBoxedWarningsTable
  careBrands: CareBrandsTable
  careClasses: CareClassesTable
  careClassMembers: CareClassMembersTable
  careControlledSubstances: CareControlledSubstancesTable
  careEquivalents: CareEquivalentsTable
  careImportRules: CareImportRulesTable
  careIngredientNames: CareIngredientNamesTable
  careIngredients: CareIngredientsTable
  careInteractions: CareInteractionsTable
  careLabelSafety: CareLabelSafetyTable
  screeningRowReports: ScreeningRowReportsTable
  careLists: CareListsTable
  carePostalRegions: CarePostalRegionsTable
  careRecallLots: CareRecallLotsTable
  careRecallPackages: CareRecallPackagesTable
  careRecalls: CareRecallsTable
  careShortages: CareShortagesTable
  careUploads: CareUploadsTable
  carts: CartsTable
  caseDrafts: CaseDraftsTable
  catalogChanges: CatalogChangesTable
  catalogImport: CatalogImportTable
  catalogRows: CatalogRowsTable
  catalogSeen: CatalogSeenTable
  catalogTouched: CatalogTouchedTable
  checkouts: CheckoutsTable
  clientAssets: ClientAssetsTable
  contactMessages: ContactMessagesTable
  csvImportKeys: CsvImportKeysTable
  csvImportRows: CsvImportRowsTable
  csvImports: CsvImportsTable
  demoPayments: DemoPaymentsTable
  demoRefunds: DemoRefundsTable
  dispensingRecords: DispensingRecordsTable
  erasures: ErasuresTable
  files: FilesTable
  fills: FillsTable
  formerPersonTokens: FormerPersonTokensTable
  gridSettings: GridSettingsTable
  gridViews: GridViewsTable
  inventoryTransactions: InventoryTransactionsTable
  knownDevices: KnownDevicesTable
  ledgerBatches: LedgerBatchesTable
  ledgerInbox: LedgerInboxTable
  ledgerRows: LedgerRowsTable
  lineReviews: LineReviewsTable
  labelChoices: LabelChoicesTable
  lotEvents: LotEventsTable
  manufacturers: ManufacturersTable
  medicineNames: MedicineNamesTable
  medicineNameWords: MedicineNameWordsTable
  messages: MessagesTable
  messageThreads: MessageThreadsTable
  oneTimeTokens: OneTimeTokensTable
  orderDaySums: OrderDaySumsTable
  orderEvents: OrderEventsTable
  orderNotes: OrderNotesTable
  orderSumChanges: OrderSumChangesTable
  orders: OrdersTable
  ordersToIndex: OrdersToIndexTable
  outbox: OutboxTable
  apiKeys: ApiKeysTable
  webhookDeliveries: WebhookDeliveriesTable
  webhookEndpoints: WebhookEndpointsTable
  pageVersions: PageVersionsTable
  patients: PatientsTable
  paymentEvents: PaymentEventsTable
  paymentHolds: PaymentHoldsTable
  personTokens: PersonTokensTable
  pharmacies: PharmaciesTable
  pharmacistLicenses: PharmacistLicensesTable
  prescriptionItems: PrescriptionItemsTable
  prescriptionNumbers: PrescriptionNumbersTable
  prescriptionQuestions: PrescriptionQuestionsTable
  prescriptions: PrescriptionsTable
  productBrands: ProductBrandsTable
  productDocuments: ProductDocumentsTable
  productIngredients: ProductIngredientsTable
  productNames: ProductNamesTable
  pictureFetches: PictureFetchesTable
  productPictures: ProductPicturesTable
  productVariants: ProductVariantsTable
  products: ProductsTable
  rateLimits: RateLimitsTable
  recallEvents: RecallEventsTable
  recallHoldEvents: RecallHoldEventsTable
  recallHolds: RecallHoldsTable
  recallNotices: RecallNoticesTable
  recallTasks: RecallTasksTable
  recordFiles: RecordFilesTable
  recordKeys: RecordKeysTable
  recoveryCodes: RecoveryCodesTable
  refundLines: RefundLinesTable
  refunds: RefundsTable
  requestKeys: RequestKeysTable
  runs: RunsTable
  needReviews: NeedReviewsTable
  searchWords: SearchWordsTable
  recordAccesses: RecordAccessesTable
  sessions: SessionsTable
  refillReminders: RefillRemindersTable
  sentReminders: SentRemindersTable
  settings: SettingsTable
  settingsHistory: SettingsHistoryTable
  shippingAddresses: ShippingAddressesTable
  shopIngredientNames: ShopIngredientNamesTable
  shopKeys: ShopKeysTable
  unknownIngredientNames: UnknownIngredientNamesTable
  stockLots: StockLotsTable
  unitsToCount: UnitsToCountTable
  uploadTickets: UploadTicketsTable
  userKeys: UserKeysTable
  users: UsersTable
  variantIdentifiers: VariantIdentifiersTable
  variantMoves: VariantMovesTable
}
