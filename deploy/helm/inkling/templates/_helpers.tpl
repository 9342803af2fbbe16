{{- define "inkling.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "inkling.selector" -}}
app.kubernetes.io/name: inkling
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "inkling.labels" -}}
{{ include "inkling.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
