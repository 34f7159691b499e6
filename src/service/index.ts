export { createMediaService } from './create-media-service.ts';
export type {
  CustomFormatParameters,
  Download,
  DownloadRequest,
  MediaService,
  Usage,
  UsageRecord,
  Validators,
} from './media-service.ts';
export { type Effect, ServiceError } from './service-error.ts';
export type { Credentials, MediaServiceOptions } from './service-options.ts';
export type { TokenEncoding } from './token-request.ts';
