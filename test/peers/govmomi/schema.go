package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"

	pbm "github.com/vmware/govmomi/pbm/types"
	"github.com/vmware/govmomi/vim25/types"
)

type schemaField struct {
	Name string `json:"name"`
	Type string `json:"type"`
	List bool   `json:"list,omitempty"`
}

type schemaType struct {
	Base   string        `json:"base,omitempty"`
	Fields []schemaField `json:"fields"`
}

// printSchema writes the fields of each named type in the order of the WSDL, from which govmomi's types are generated.
// Requests of methods are types as well, such as CloneVMRequestType of CloneVM_Task.
func printSchema(names []string) {
	// Types of PBM register by a name with a prefix.
	known := types.TypeFunc()
	_ = pbm.PbmProfileId{}
	answer := map[string]schemaType{}
	for _, name := range names {
		kind, ok := known(name)
		if !ok {
			kind, ok = known("pbm:" + name)
		}
		if ok && kind.Kind() == reflect.Struct {
			answer[name] = schemaOf(kind)
		}
	}
	_ = json.NewEncoder(os.Stdout).Encode(answer)
}

func schemaOf(kind reflect.Type) schemaType {
	result := schemaType{Fields: []schemaField{}}
	for i := range kind.NumField() {
		field := kind.Field(i)
		if field.Anonymous {
			if field.Type.Kind() == reflect.Struct && field.Type.Name() != "DynamicData" {
				result.Base = field.Type.Name()
			}
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("xml"), ",")
		entry := schemaField{Name: name}
		inner := field.Type
		if inner.Kind() == reflect.Slice && inner.Elem().Kind() != reflect.Uint8 {
			entry.List = true
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		entry.Type = strings.TrimPrefix(inner.Name(), "Base")
		if strings.Contains(field.Tag.Get("xml"), "typeattr") && inner.Kind() == reflect.Interface && inner.Name() == "AnyType" {
			entry.Type = "anyType"
		}
		result.Fields = append(result.Fields, entry)
	}
	return result
}
