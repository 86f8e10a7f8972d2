// @ts-check
import { stringLiteral, terraformString } from "./quoting.js";

/** @import { Access } from "./snippets.js" */

/**
 * A program for boto3, https://docs.aws.amazon.com/boto3.
 * @param {Access} access
 */
export function pythonProgram({ endpoint, region, accessKey, secretKey, bucket, prefix }) {
  return `import boto3
from botocore.config import Config

s3 = boto3.client(
    "s3",
    endpoint_url=${stringLiteral(endpoint)},
    region_name=${stringLiteral(region)},
    aws_access_key_id=${stringLiteral(accessKey)},
    aws_secret_access_key=${stringLiteral(secretKey)},
    config=Config(signature_version="s3v4", s3={"addressing_style": "path"}),
)
for page in s3.get_paginator("list_objects_v2").paginate(Bucket=${stringLiteral(bucket)}, Prefix=${
    stringLiteral(prefix)
  }):
    for item in page.get("Contents", []):
        print(item["Key"], item["Size"])
`;
}

/**
 * A program for version 3 of the AWS SDK for JavaScript.
 * @param {Access} access
 */
export function javascriptProgram({ endpoint, region, accessKey, secretKey, bucket, prefix }) {
  return `import { paginateListObjectsV2, S3Client } from "@aws-sdk/client-s3";

const client = new S3Client({
  endpoint: ${stringLiteral(endpoint)},
  region: ${stringLiteral(region)},
  forcePathStyle: true,
  credentials: {
    accessKeyId: ${stringLiteral(accessKey)},
    secretAccessKey: ${stringLiteral(secretKey)},
  },
});
const query = { Bucket: ${stringLiteral(bucket)}, Prefix: ${stringLiteral(prefix)} };
for await (const { Contents = [] } of paginateListObjectsV2({ client }, query)) {
  for (const { Key, Size } of Contents) console.log(Key, Size);
}
`;
}

/**
 * A program for version 2 of the AWS SDK for Go.
 * @param {Access} access
 */
export function goProgram({ endpoint, region, accessKey, secretKey, bucket, prefix }) {
  return `package main

import (
	"context"
	"fmt"
	"log"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

func main() {
	client := s3.New(s3.Options{
		BaseEndpoint: aws.String(${stringLiteral(endpoint)}),
		Region:       ${stringLiteral(region)},
		UsePathStyle: true,
		Credentials: credentials.NewStaticCredentialsProvider(
			${stringLiteral(accessKey)},
			${stringLiteral(secretKey)},
			"",
		),
	})
	pages := s3.NewListObjectsV2Paginator(client, &s3.ListObjectsV2Input{
		Bucket: aws.String(${stringLiteral(bucket)}),
		Prefix: aws.String(${stringLiteral(prefix)}),
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(context.Background())
		if err != nil {
			log.Fatal(err)
		}
		for _, object := range page.Contents {
			fmt.Println(aws.ToString(object.Key), aws.ToInt64(object.Size))
		}
	}
}
`;
}

/**
 * A backend of Terraform and OpenTofu, which keeps its state in the bucket:
 * https://developer.hashicorp.com/terraform/language/backend/s3. Their provider for AWS manages buckets, which the S3
 * endpoint leaves to the dashboard.
 * @param {Access} access
 */
export function terraformBackend({ endpoint, region, accessKey, secretKey, bucket, prefix }) {
  return `terraform {
  backend "s3" {
    bucket     = ${terraformString(bucket)}
    key        = ${terraformString(`${prefix}terraform.tfstate`)}
    region     = ${terraformString(region)}
    access_key = ${terraformString(accessKey)}
    secret_key = ${terraformString(secretKey)}
    endpoints  = { s3 = ${terraformString(endpoint)} }

    use_lockfile                = true
    use_path_style              = true
    skip_credentials_validation = true
    skip_metadata_api_check     = true
    skip_region_validation      = true
    skip_requesting_account_id  = true
  }
}
`;
}
