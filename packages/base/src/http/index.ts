export {
  type BodySink,
  type BodyStream,
  headerText,
  type HttpRequest,
  type ReadBodyOptions,
  type HttpResponse,
  type RequestHeaders,
  type ResponseHeaders,
} from './message.js';
