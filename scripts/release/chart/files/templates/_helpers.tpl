{{/* Values of a manager: the common ones, overridden by its own. Arguments: root, own values. */}}
{{- define "slipway.part" -}}
{{- $root := index . 0 -}}
{{- $common := pick $root.Values "image" "replicas" "shards" "resources" "nodeSelector" "tolerations" "affinity" "priorityClassName" "podAnnotations" "featureGates" "extraArgs" "diagnostics" -}}
{{- mergeOverwrite (deepCopy $common) (deepCopy (index . 1)) | toYaml -}}
{{- end -}}

{{/* Values of the drivers operator. It shares only the image: it runs on the control plane, before other pods can. */}}
{{- define "slipway.driversPart" -}}
{{- $root := index . 0 -}}
{{- mergeOverwrite (deepCopy (pick $root.Values "image")) (deepCopy (index . 1)) | toYaml -}}
{{- end -}}

{{/* Image reference. Arguments: root, values of the part. */}}
{{- define "slipway.image" -}}
{{- $root := index . 0 -}}
{{- $image := (index . 1).image -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $image.repository $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $image.repository ($image.tag | default (printf "v%s" $root.Chart.AppVersion)) -}}
{{- end -}}
{{- end -}}

{{/* Pull secrets as references. Argument: values of the part. */}}
{{- define "slipway.pullSecrets" -}}
{{- $references := list -}}
{{- range .image.pullSecrets -}}
{{- $references = append $references (dict "name" .) -}}
{{- end -}}
{{- toYaml $references -}}
{{- end -}}

{{/* Value of a feature gate. Arguments: values of the part, gate, default. */}}
{{- define "slipway.featureGate" -}}
{{- $gates := (index . 0).featureGates | default dict -}}
{{- if hasKey $gates (index . 1) -}}{{ get $gates (index . 1) }}{{- else -}}{{ index . 2 }}{{- end -}}
{{- end -}}

{{/* Objects of a manager that only the chart has. Arguments: root, part, prefix, namespace, labels. */}}
{{- define "slipway.extras" -}}
{{- $values := .root.Values }}
{{- if $values.podDisruptionBudget.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .prefix }}-controller-manager
  namespace: {{ .namespace }}
  labels:
    {{- toYaml .labels | nindent 4 }}
spec:
  maxUnavailable: {{ $values.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels:
      {{- toYaml .labels | nindent 6 }}
{{- end }}
{{- if $values.networkPolicy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ .prefix }}-controller-manager
  namespace: {{ .namespace }}
  labels:
    {{- toYaml .labels | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      {{- toYaml .labels | nindent 6 }}
  policyTypes: [Ingress]
  ingress:
  - ports:
    - port: webhook-server
      protocol: TCP
    {{- with $values.networkPolicy.webhookFrom }}
    from:
      {{- toYaml . | nindent 6 }}
    {{- end }}
  - ports:
    - port: metrics
      protocol: TCP
    {{- with $values.networkPolicy.metricsFrom }}
    from:
      {{- toYaml . | nindent 6 }}
    {{- end }}
  - ports:
    - port: healthz
      protocol: TCP
    {{- if .servesClusters }}
    # API servers of in-memory clusters.
    - port: 20000
      endPort: 30000
      protocol: TCP
    {{- end }}
{{- end }}
{{- if $values.serviceMonitor.enabled }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .prefix }}-metrics-service
  namespace: {{ .namespace }}
  labels:
    {{- toYaml .labels | nindent 4 }}
    app.kubernetes.io/component: metrics
spec:
  ports:
  - name: metrics
    port: 8443
    targetPort: metrics
  selector:
    {{- toYaml .labels | nindent 4 }}
{{ include "slipway.serviceMonitor" (dict "values" $values "name" (printf "%s-controller-manager" .prefix) "namespace" .namespace "port" "metrics" "insecure" .part.diagnostics.insecure "labels" (merge (dict "app.kubernetes.io/component" "metrics") .labels)) }}
{{- end }}
{{- end -}}

{{- define "slipway.driversExtras" -}}
{{- if .root.Values.serviceMonitor.enabled }}
{{ include "slipway.serviceMonitor" (dict "values" .root.Values "name" "@driversName@" "namespace" "@driversNamespace@" "port" "https" "insecure" false "labels" (dict @driversLabels@)) }}
{{- end }}
{{- end -}}

{{/* ServiceMonitor. The certificate of the endpoint is self-signed; Prometheus authenticates with its ServiceAccount token. */}}
{{- define "slipway.serviceMonitor" -}}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels:
    {{- toYaml (merge (deepCopy .values.serviceMonitor.labels) .labels) | nindent 4 }}
spec:
  endpoints:
  - port: {{ .port }}
    path: /metrics
    interval: {{ .values.serviceMonitor.interval }}
    {{- if .insecure }}
    scheme: http
    {{- else }}
    scheme: https
    bearerTokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token
    tlsConfig:
      insecureSkipVerify: true
    {{- end }}
  selector:
    matchLabels:
      {{- toYaml .labels | nindent 6 }}
{{- end -}}
